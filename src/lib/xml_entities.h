/*
 * HTML's names for characters (HTML 4.01, 24), such as &uuml;, which some old clients write in XML:
 * declarations for an XML parser, one character each.
 */
#ifndef XML_ENTITIES_H
#define XML_ENTITIES_H

#include "lib/buf.h"

void xml_entities(struct buf *to);

#endif
