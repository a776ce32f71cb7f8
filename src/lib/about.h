/* What each program says about itself. */
#ifndef ABOUT_H
#define ABOUT_H

/*
 * Answers an argument --help or -h with the usage, and --version with the program's name and its version, and ends
 * the program with status 0; returns if there is no such argument.
 */
void about_answer(int argc, char **argv, const char *name, const char *usage);

#endif
