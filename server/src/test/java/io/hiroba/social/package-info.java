@NullMarked
package io.hiroba.social;

import org.jspecify.annotations.NullMarked;
