/*
 * Where ids begin: above all that the original ever gave, so that what is imported keeps its
 * ids and meets no others.
 */
#ifndef IDS_H
#define IDS_H

enum { IDS_FROM = 200000000 };

#endif
