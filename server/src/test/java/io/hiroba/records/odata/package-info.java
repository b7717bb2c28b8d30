@NullMarked
package io.hiroba.records.odata;

import org.jspecify.annotations.NullMarked;
