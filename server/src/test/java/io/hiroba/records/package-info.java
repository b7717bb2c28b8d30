@NullMarked
package io.hiroba.records;

import org.jspecify.annotations.NullMarked;
