/** The pages of sagas, workflows and services, for users with a role. */
@NullMarked
package io.hiroba.saga.pages;

import org.jspecify.annotations.NullMarked;
