@NullMarked
package io.hiroba.platform.web;

import org.jspecify.annotations.NullMarked;
