@NullMarked
package io.hiroba.activity;

import org.jspecify.annotations.NullMarked;
