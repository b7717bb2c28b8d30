/**
 * Text analysis for search: one tokenizer for indexing, queries and highlights, in English and other languages
 * with spaces as well as in Japanese, Chinese and Korean.
 *
 * <p>Besides, the guess of the encoding that a file is in.
 *
 * <p>The three must agree: a change of the tokens raises {@link io.hiroba.platform.text.Analysis#VERSION}, so that all texts
 * are indexed again.
 */
@NullMarked
package io.hiroba.platform.text;

import org.jspecify.annotations.NullMarked;
