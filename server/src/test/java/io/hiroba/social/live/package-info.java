@NullMarked
package io.hiroba.social.live;

import org.jspecify.annotations.NullMarked;
