@NullMarked
package io.hiroba.records.saved;

import org.jspecify.annotations.NullMarked;
