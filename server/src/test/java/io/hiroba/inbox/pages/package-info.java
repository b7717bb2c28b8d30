@NullMarked
package io.hiroba.inbox.pages;

import org.jspecify.annotations.NullMarked;
