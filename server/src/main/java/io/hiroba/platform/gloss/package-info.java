/** English glosses in the place of Japanese and Chinese words, by dictionaries in the user's cache folder (ADR 81). */
@NullMarked
package io.hiroba.platform.gloss;

import org.jspecify.annotations.NullMarked;
