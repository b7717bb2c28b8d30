@NullMarked
package io.hiroba.records.tuning;

import org.jspecify.annotations.NullMarked;
