@NullMarked
package io.hiroba.cli;

import org.jspecify.annotations.NullMarked;
