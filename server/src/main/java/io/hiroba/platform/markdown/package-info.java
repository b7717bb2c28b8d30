/**
 * People's Markdown as safe HTML, as plain text and as snippets.
 *
 * <p>Markdown becomes one small tree of {@link io.hiroba.platform.markdown.HtmlNode nodes}, and everything shown is
 * made from that tree, so a whole text and its snippet cannot look different. What a tree may hold is checked when a
 * node is made: a tag, an attribute or an address that is not allowed cannot be represented, wherever the node came
 * from.
 */
@NullMarked
package io.hiroba.platform.markdown;

import org.jspecify.annotations.NullMarked;
