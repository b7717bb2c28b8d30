@NullMarked
package io.hiroba.inbox.letters;

import org.jspecify.annotations.NullMarked;
