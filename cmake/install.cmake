# Installation
