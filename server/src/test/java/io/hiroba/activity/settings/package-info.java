@NullMarked
package io.hiroba.activity.settings;

import org.jspecify.annotations.NullMarked;
