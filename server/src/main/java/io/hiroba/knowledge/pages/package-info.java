/** The web pages of knowledge. */
@NullMarked
package io.hiroba.knowledge.pages;

import org.jspecify.annotations.NullMarked;
