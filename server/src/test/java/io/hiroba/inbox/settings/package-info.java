@NullMarked
package io.hiroba.inbox.settings;

import org.jspecify.annotations.NullMarked;
