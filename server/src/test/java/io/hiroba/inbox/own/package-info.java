@NullMarked
package io.hiroba.inbox.own;

import org.jspecify.annotations.NullMarked;
