@NullMarked
package io.hiroba.records.schema;

import org.jspecify.annotations.NullMarked;
