/** The pages of social: parse, call the facade, render. What is allowed, the facades decide. */
@NullMarked
package io.hiroba.social.pages;

import org.jspecify.annotations.NullMarked;
