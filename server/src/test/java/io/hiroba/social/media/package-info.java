@NullMarked
package io.hiroba.social.media;

import org.jspecify.annotations.NullMarked;
