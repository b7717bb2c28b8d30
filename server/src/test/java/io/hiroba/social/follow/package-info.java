@NullMarked
package io.hiroba.social.follow;

import org.jspecify.annotations.NullMarked;
