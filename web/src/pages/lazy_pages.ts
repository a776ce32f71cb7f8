/** Pages other than the board that share most of their code, as one part. */
import Account from "./account";
import Dashboard from "./dashboard";
import Enrol from "./enrol";
import Profile from "./profile";
import ProjectPages from "./project";
import Workspace from "./workspace";

export default { Account, Dashboard, Enrol, Profile, ProjectPages, Workspace };
