/*
 * The first id that this server gives: above all that the original ever gave, so that what is imported keeps its
 * ids and meets no others.
 */
#ifndef FIRST_IDS_H
#define FIRST_IDS_H

enum { IDS_FROM = 200000000 };

#endif
