/*
 * The names of HTML 4.01 (24) for characters, such as &uuml;, which some clients of old write in XML:
 * declarations for a parser of XML, each of one character.
 */
#ifndef XML_ENTITIES_H
#define XML_ENTITIES_H

#include "lib/buf.h"

void xml_entities(struct buf *to);

#endif
