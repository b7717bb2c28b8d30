/** Cards that tell people what others did to them and to their posts. */
@NullMarked
package io.hiroba.activity;

import org.jspecify.annotations.NullMarked;
