// What browsers have and Node.js 18 has not: global only from 19 on.
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
