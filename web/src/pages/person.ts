/** What a person is and has, as one part: profile, accounts, enrolment. */
import Account from "./account";
import Enrol from "./enrol";
import Profile from "./profile";

export default { Account, Enrol, Profile };
