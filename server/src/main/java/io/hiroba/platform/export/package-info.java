/** The contributions of features to the archives in which people get their own data. */
@NullMarked
package io.hiroba.platform.export;

import org.jspecify.annotations.NullMarked;
