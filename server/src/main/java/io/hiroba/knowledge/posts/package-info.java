/**
 * Posts of the square as knowledge: rules say whose, and the event log says when. What posts say is read through a view of
 * the social feature, whose classes are not known here.
 */
@NullMarked
package io.hiroba.knowledge.posts;

import org.jspecify.annotations.NullMarked;
