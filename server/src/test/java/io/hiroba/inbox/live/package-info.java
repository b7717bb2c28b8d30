@NullMarked
package io.hiroba.inbox.live;

import org.jspecify.annotations.NullMarked;
