@NullMarked
package io.hiroba.records.data;

import org.jspecify.annotations.NullMarked;
