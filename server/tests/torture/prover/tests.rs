//! Hand-made evidence of what must not be, each of which is found.
