@NullMarked
package io.hiroba.records.query;

import org.jspecify.annotations.NullMarked;
