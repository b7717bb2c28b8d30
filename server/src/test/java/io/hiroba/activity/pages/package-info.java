@NullMarked
package io.hiroba.activity.pages;

import org.jspecify.annotations.NullMarked;
