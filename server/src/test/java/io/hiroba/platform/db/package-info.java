@NullMarked
package io.hiroba.platform.db;

import org.jspecify.annotations.NullMarked;
