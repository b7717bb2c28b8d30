@NullMarked
package io.hiroba.saga.pages;

import org.jspecify.annotations.NullMarked;
