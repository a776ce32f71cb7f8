// Browsers have this global, Node.js only since version 19.
import { webcrypto } from "node:crypto";

globalThis.crypto ??= webcrypto;
