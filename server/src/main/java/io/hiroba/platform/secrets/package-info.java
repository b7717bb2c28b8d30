/** Secrets that have to be read again, encrypted in the database with keys of a file outside it. */
@NullMarked
package io.hiroba.platform.secrets;

import org.jspecify.annotations.NullMarked;
