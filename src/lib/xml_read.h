/*
 * XML parser for request bodies: a document into values of the arena. libexpat parses; a document
 * type is refused, so that nothing is fetched and nothing grows; the entities are the five of XML and
 * the names of HTML for characters. At most 2,000 elements, 16 deep. Attributes are ignored, except
 * nil="true". Time and memory are linear in the length of the text.
 */
#ifndef XML_READ_H
#define XML_READ_H

#include "lib/body.h"

/*
 * The root is the one member of the returned object, by its name. An element that holds elements is
 * an object of them, in their order and each as often as it stands there; any other is a text, or
 * null if it is nil. Null on failure, and *problem is one short phrase; as body_parse.
 */
struct body *xml_read(struct arena *a, struct str text, const char **problem);

#endif
