@NullMarked
package io.hiroba.social.media.picture;

import org.jspecify.annotations.NullMarked;
