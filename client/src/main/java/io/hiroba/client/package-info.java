/** The client of Hiroba for programs: starts sagas and carries out their steps. */
@NullMarked
package io.hiroba.client;

import org.jspecify.annotations.NullMarked;
