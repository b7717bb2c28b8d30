@NullMarked
package io.hiroba.demo;

import org.jspecify.annotations.NullMarked;
