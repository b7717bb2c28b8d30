/** The pages of activity: parse, call the facade, render. What is allowed, the facades decide. */
@NullMarked
package io.hiroba.activity.pages;

import org.jspecify.annotations.NullMarked;
