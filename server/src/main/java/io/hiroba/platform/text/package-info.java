/**
 * Words of a text, for finding it again: one analysis for what is indexed, what is asked for and what is highlighted,
 * in English and other languages with spaces as well as in Japanese, Chinese and Korean.
 *
 * <p>The three must agree: whoever changes how a text falls into tokens raises {@link
 * io.hiroba.platform.text.Analysis#VERSION}, so that what was indexed before is indexed anew.
 */
@NullMarked
package io.hiroba.platform.text;

import org.jspecify.annotations.NullMarked;
