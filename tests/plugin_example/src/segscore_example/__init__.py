"""What a plug-in of segscore looks like."""
