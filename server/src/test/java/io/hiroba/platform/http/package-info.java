/** Tests of the platform's http package. */
@NullMarked
package io.hiroba.platform.http;

import org.jspecify.annotations.NullMarked;
