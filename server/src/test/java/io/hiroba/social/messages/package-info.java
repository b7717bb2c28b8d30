@NullMarked
package io.hiroba.social.messages;

import org.jspecify.annotations.NullMarked;
