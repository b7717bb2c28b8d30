/** Tests of the platform's config package. */
@NullMarked
package io.hiroba.platform.config;

import org.jspecify.annotations.NullMarked;
