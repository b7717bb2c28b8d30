/** Records: read, checked, written, and what they were before. */
@NullMarked
package io.hiroba.records.data;

import org.jspecify.annotations.NullMarked;
