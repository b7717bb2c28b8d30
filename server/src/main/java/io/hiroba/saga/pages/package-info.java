/** Sagas, workflows and services in the browser, for those who have a role in them. */
@NullMarked
package io.hiroba.saga.pages;

import org.jspecify.annotations.NullMarked;
