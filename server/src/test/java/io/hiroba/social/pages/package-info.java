@NullMarked
package io.hiroba.social.pages;

import org.jspecify.annotations.NullMarked;
