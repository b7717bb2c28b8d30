@NullMarked
package io.hiroba.social.feed;

import org.jspecify.annotations.NullMarked;
