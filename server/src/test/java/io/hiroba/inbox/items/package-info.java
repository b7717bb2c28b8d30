@NullMarked
package io.hiroba.inbox.items;

import org.jspecify.annotations.NullMarked;
